# One Sandriver server: page, compiled rules, drivers for PostgreSQL and Valkey. The first stage builds the wheel, the second runs it.
FROM python:3.13 AS build
WORKDIR /build
COPY . .
RUN make wheel

FROM python:3.13-slim
COPY requirements/play.txt requirements/many.txt /tmp/requirements/
RUN pip install --no-cache-dir --require-hashes --no-deps -r /tmp/requirements/play.txt \
    && pip install --no-cache-dir --require-hashes --no-deps -r /tmp/requirements/many.txt
COPY --from=build /build/dist/*.whl /tmp/wheel/
RUN pip install --no-cache-dir --no-deps /tmp/wheel/*.whl \
    && useradd --system sandriver \
    && install -d -o sandriver -g sandriver -m 700 /var/lib/sandriver
# Where the tables are when no database is named: mount a volume there.
ENV SANDRIVER_DATA=/var/lib/sandriver
USER sandriver
EXPOSE 8000
CMD ["sandriver", "serve", "--host", "0.0.0.0"]
