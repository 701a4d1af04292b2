# What compiled planes and batches do with memory: the address of a buffer that was lent, eight bytes stored at once, lines fetched early.
ctypedef unsigned long long u64

cdef extern from *:
    """
    #include <string.h>

    static inline unsigned char *buffer_of(PyObject *lent, Py_ssize_t width, Py_ssize_t count) {
        Py_buffer view;
        void *address;
        if (PyObject_GetBuffer(lent, &view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) < 0) return NULL;
        address = view.buf;
        if (view.len != width * count) {
            PyErr_Format(PyExc_ValueError, "a writable buffer of %zd numbers of %zd bytes is wanted", count, width);
            address = NULL;
        }
        PyBuffer_Release(&view);
        return (unsigned char *)address;
    }

    static inline void store(unsigned char *out, Py_ssize_t at, unsigned long long bytes) {
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        bytes = __builtin_bswap64(bytes);
    #endif
        memcpy(out + at, &bytes, 8);
    }

    /* In steps of fixed size, which become plain stores: the one instruction for a whole row starts slowly. */
    static inline void clear(unsigned char *out, Py_ssize_t at, Py_ssize_t size) {
        for (out += at; size >= 64; out += 64, size -= 64) memset(out, 0, 64);
        memset(out, 0, size & 63);
    }

    static inline void fetch_early(void *lines, Py_ssize_t from, int size) {
    #if defined(__GNUC__)
        int at;
        for (at = 0; at < size; at += 64) __builtin_prefetch((char *)lines + from + at, 1, 3);
    #else
        (void)lines, (void)from, (void)size;
    #endif
    }
    """
    unsigned char* buffer_of(object lent, Py_ssize_t width, Py_ssize_t count) except NULL
    void store(unsigned char* out, Py_ssize_t at, u64 bytes) noexcept nogil
    void clear(unsigned char* out, Py_ssize_t at, Py_ssize_t size) noexcept nogil
    void fetch_early(void* lines, Py_ssize_t start, int size) noexcept nogil
