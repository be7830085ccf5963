// A growing array of plain values, for millions of entries.
//
// A large buffer requests huge pages from the system if available. The first write to memory is a
// considerable part of the cost of a large result, and with pages of 4 KiB most of that is spent in the
// system. For the same reason a growing buffer keeps its pages, instead of being copied to fresh ones, which
// must be cleared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#define HORNBOOK_MAPS_PAGES
#include <sys/mman.h>
#endif

namespace hornbook {

template <class Value>
class Buffer {
    static_assert(std::is_trivially_copyable_v<Value>);

public:
    Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        Buffer gone;
        swap(gone);
        swap(other);
        return *this;
    }
    ~Buffer() { release(); }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t capacity() const { return capacity_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] Value* data() { return values_; }
    [[nodiscard]] const Value* data() const { return values_; }
    Value& operator[](std::size_t place) { return values_[place]; }
    const Value& operator[](std::size_t place) const { return values_[place]; }
    Value& back() { return values_[size_ - 1]; }
    Value* begin() { return values_; }
    Value* end() { return values_ + size_; }
    [[nodiscard]] const Value* begin() const { return values_; }
    [[nodiscard]] const Value* end() const { return values_ + size_; }

    void push_back(const Value& value) {
        const Value copy = value;
        reserve(size_ + 1);
        values_[size_++] = copy;
    }
    // `values` must not be in this buffer.
    void append(const Value* values, std::size_t count) {
        reserve(size_ + count);
        std::copy(values, values + count, values_ + size_);
        size_ += count;
    }
    // Include values that were written behind the last one.
    void take_room(std::size_t count) { size_ += count; }
    void pop_back() { --size_; }
    void truncate(std::size_t size) { size_ = size; }
    void clear() { size_ = 0; }
    void resize(std::size_t size, const Value& value) {
        reserve(size);
        if (size > size_) {
            std::fill(values_ + size_, values_ + size, value);
        }
        size_ = size;
    }
    void assign(std::size_t size, const Value& value) {
        if (size > capacity_) {
            *this = Buffer();
            reserve(size);
        }
        std::fill(values_, values_ + size, value);
        size_ = size;
    }
    void reserve(std::size_t wanted) {
        if (wanted > capacity_) {
            // A large buffer grows by less; otherwise a considerable part of it would be empty.
            const std::size_t more = capacity_ * sizeof(Value) < LARGE ? capacity_ : capacity_ / 2;
            grow(std::max({wanted, capacity_ + more, std::size_t{8}}));
        }
    }

private:
    static constexpr std::size_t LARGE = std::size_t{1} << 24U;
    static constexpr std::size_t HUGE_PAGE = std::size_t{1} << 21U;

    void grow(std::size_t capacity) {
        const std::size_t bytes = capacity * sizeof(Value);
#ifdef HORNBOOK_MAPS_PAGES
        if (bytes >= 2 * HUGE_PAGE) {
            map((bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
            return;
        }
#endif
        void* moved = std::realloc(static_cast<void*>(values_), bytes);
        if (moved == nullptr) {
            throw std::bad_alloc();
        }
        values_ = static_cast<Value*>(moved);
        capacity_ = capacity;
    }

#ifdef HORNBOOK_MAPS_PAGES
    // Map whole huge pages, aligned to their boundaries.
    void map(std::size_t bytes) {
        char* const reserved = static_cast<char*>(
            mmap(nullptr, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        if (reserved == MAP_FAILED) {
            throw std::bad_alloc();
        }
        const std::size_t before = (HUGE_PAGE - reinterpret_cast<std::uintptr_t>(reserved) % HUGE_PAGE) % HUGE_PAGE;
        char* const fresh = reserved + before;
        if (before != 0) {
            munmap(reserved, before);
        }
        if (before != HUGE_PAGE) {
            munmap(fresh + bytes, HUGE_PAGE - before);
        }
        if (mapped_ != 0 && mremap(static_cast<void*>(values_), mapped_, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, fresh) ==
                                MAP_FAILED) {
            munmap(fresh, bytes);
            throw std::bad_alloc();
        }
#ifdef MADV_HUGEPAGE
        madvise(fresh, bytes, MADV_HUGEPAGE);
#endif
        if (mapped_ == 0 && size_ != 0) {
            std::memcpy(fresh, static_cast<const void*>(values_), size_ * sizeof(Value));
        }
        if (mapped_ == 0) {
            std::free(values_);
        }
        values_ = reinterpret_cast<Value*>(fresh);
        mapped_ = bytes;
        capacity_ = bytes / sizeof(Value);
    }
#endif

    void release() {
#ifdef HORNBOOK_MAPS_PAGES
        if (mapped_ != 0) {
            munmap(static_cast<void*>(values_), mapped_);
            return;
        }
#endif
        std::free(values_);
    }
    void swap(Buffer& other) {
        std::swap(values_, other.values_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        std::swap(mapped_, other.mapped_);
    }

    Value* values_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
    std::size_t mapped_ = 0;  // bytes that were requested from the system directly
};

}  // namespace hornbook
